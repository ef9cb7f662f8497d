import { isSecretName } from "./secrets";

const STARS = "***";

// Where a part of an address ends.
const END = String.raw`\s#"'\x60<>\\)`;
const PERSON = new RegExp(`(://[^${END}/?:]*:)([^${END}/?]*)(?=@)`, "g");
const PARAMETER = new RegExp(`([?&]|^)([A-Za-z0-9_.-]+)=([^${END}&]*)`, "g");
const BEARER = /(?<![\p{L}\p{N}])(bearer )([A-Za-z0-9._~+/=-]{8,})/giu;
const SCHEME = /^(?:bearer|basic|token) /i;
const REFERENCE = /^(?:\$[A-Z_][A-Z0-9_]*|\$?\{\s*[A-Za-z_][\w. -]*\}|\{\{\s*[A-Za-z_][\w. -]*\}\})$/;

/** `{name}`, `{{name}}`, `${name}` and `$NAME`, also after a scheme: a place for a secret, not one. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text.replace(SCHEME, "").trim());
}

/** The text without bearer tokens, passwords and keys in addresses, and credentials in cURL commands. */
export function withoutSecrets(text: string): string {
  return (isCurl(text) ? curl(text) : text)
    .replace(PERSON, (_, start: string, secret: string) => start + starred(secret))
    .replace(PARAMETER, (all, mark: string, name: string, value: string) =>
      mark !== "" && isSecretName(name) ? `${mark}${name}=${starred(value)}` : all,
    )
    .replace(BEARER, (all, start: string, token: string) =>
      token.length >= 20 || /\d/.test(token) ? start + STARS : all,
    );
}

function starred(text: string): string {
  return /^\s*\**\s*$/.test(text) || isReference(text) ? text : STARS;
}

function isCurl(text: string): boolean {
  return /^\s*curl\s/.test(text);
}

// A word of a command: bare pieces, escaped characters and quoted pieces.
const WORD = /(?:[^\s"'\\]+|\\(?![\r\n])[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g;
const OPTION =
  /^(-H|-u|-U|-b|-d|--header|--proxy-header|--user|--proxy-user|--cookie|--oauth2-bearer|--pass|--proxy-pass|--data|--data-raw|--data-binary|--data-urlencode|--json)(?:$|(?<=^-.)|=)([\s\S]*)$/;

function curl(text: string): string {
  let waiting: string | null = null;
  return text.replace(WORD, (word) => {
    if (waiting !== null) {
      const option = waiting;
      waiting = null;
      return unquoted(word, (value) => credential(option, value));
    }
    const match = OPTION.exec(unquotedText(word));
    const option = match?.[1];
    if (option === undefined) return word;
    if (match?.[2] === "" && !word.endsWith("=")) {
      waiting = option;
      return word;
    }
    const start = word.indexOf(option) + option.length + (option.startsWith("--") ? 1 : 0);
    return word.slice(0, start) + unquoted(word.slice(start), (value) => credential(option, value));
  });
}

function unquotedText(word: string): string {
  return /^\$?(["'])([\s\S]*)\1$/.exec(word)?.[2] ?? word;
}

function unquoted(word: string, change: (value: string) => string): string {
  const match = /^(\$'|["'])([\s\S]*)(["'])$/.exec(word);
  if (!match || match[1]?.at(-1) !== match[3]) return change(word);
  return `${match[1]}${change(match[2] ?? "")}${match[3]}`;
}

function credential(option: string, value: string): string {
  switch (option) {
    case "-H":
    case "--header":
    case "--proxy-header":
      return value.replace(/^([^:]*)(:\s*(?:(?:bearer|basic|token) )?)([\s\S]*)$/i, (all, name: string, mark: string, secret: string) =>
        isSecretName(name) ? name + mark + starred(secret) : all,
      );
    case "-u":
    case "--user":
    case "-U":
    case "--proxy-user":
      return value.replace(/^([^:]*:)([\s\S]*)$/, (_, user: string, secret: string) => user + starred(secret));
    // Without `=` it names a file.
    case "-b":
    case "--cookie":
      return value.includes("=") ? starred(value) : value;
    case "--oauth2-bearer":
    case "--pass":
    case "--proxy-pass":
      return starred(value);
    default:
      return value.trimStart().startsWith("{") ? members(value) : value.replace(PARAMETER, parameter);
  }
}

function parameter(all: string, mark: string, name: string, value: string): string {
  return isSecretName(name) ? `${mark}${name}=${starred(value)}` : all;
}

/** `"name": "secret"` in JSON that stands in a command. */
function members(json: string): string {
  return json.replace(/"((?:[^"\\]|\\.)*)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g, (all, name: string, mark: string, secret: string) =>
    isSecretName(name) ? `"${name}"${mark}"${starred(secret)}"` : all,
  );
}
