-- Messages of visitors of shared flows, which go with the run they were said in.
CREATE INDEX messages_visits ON messages (run_id) WHERE session_metadata = '{"visitor":true}';
