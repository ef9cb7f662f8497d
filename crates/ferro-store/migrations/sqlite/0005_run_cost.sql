-- What a run's model calls cost, in billionths of a dollar; NULL where no model was asked, or before this was counted.
ALTER TABLE runs ADD COLUMN cost_nanousd BIGINT;
