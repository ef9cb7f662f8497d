/** What a person can do with a message. Made once: messages are drawn again when they change, not when this does. */
export interface CardActions {
  /** Passes the gate before a component that is ready. */
  continueComponent: (message: string) => void;
  /** Has the server check the code once more and puts it on the canvas; throws what was in the way. */
  addComponent: (message: string) => Promise<void>;
  /** Asks the same again. */
  retry: (message: string) => void;
  plan: (message: string, what: "approve" | "dismiss" | "reset") => void;
  proposal: (message: string, what: "add" | "replace" | "dismiss" | "revert") => void;
  /** Somebody points at a button: the canvas shows what it would do. Null: no longer. */
  hoverProposal: (message: string, mode: "add" | "replace" | null) => void;
  edit: (message: string, edit: string, what: "accept" | "dismiss") => void;
  /** Fetches a file that did not come along, and keeps it in the message. */
  readFile: (message: string, path: string) => Promise<string>;
  /** Brings back the version from before the turn; the card has asked whether to. Throws what was in the way. */
  restore: (message: string) => Promise<void>;
  /** Shows a node on the canvas; what is not there is shown nowhere. */
  showNode: (node: string) => void;
  /** What a node is called on the canvas now; null where it is not there. */
  nodeName: (node: string) => string | null;
  /** What a field of a node is called; null where it is not there. */
  fieldName: (node: string, field: string) => string | null;
}
