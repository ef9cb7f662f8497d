import { useTranslation } from "react-i18next";
import { type OpenApi, refName, resolve, type Schema, typeName } from "./document";

/** The schema whose properties a person would open, behind arrays and "or null". */
function inner(document: OpenApi, schema: Schema): Schema | null {
  const found = resolve(document, schema);
  if (found.properties || found.allOf) return found;
  if (found.items) return inner(document, found.items);
  const several = found.oneOf ?? found.anyOf;
  const useful = several?.filter((each) => resolve(document, each).type !== "null") ?? [];
  return useful.length === 1 && useful[0] ? inner(document, useful[0]) : null;
}

function merged(document: OpenApi, schema: Schema): { properties: [string, Schema][]; required: Set<string> } {
  const parts = [schema, ...(schema.allOf ?? []).map((each) => resolve(document, each))];
  const properties = new Map<string, Schema>();
  const required = new Set<string>();
  for (const part of parts) {
    for (const [name, each] of Object.entries(part.properties ?? {})) properties.set(name, each);
    for (const name of part.required ?? []) required.add(name);
  }
  return { properties: [...properties], required };
}

export function SchemaView({
  document,
  schema,
  depth = 0,
}: {
  document: OpenApi;
  schema: Schema;
  depth?: number;
}) {
  const { t } = useTranslation();
  const found = inner(document, schema);
  if (!found) {
    return <code className="font-mono text-xs text-muted">{typeName(schema)}</code>;
  }
  const { properties, required } = merged(document, found);
  return (
    <div className={depth === 0 ? "rounded-lg border border-line" : "border-l-2 border-line pl-2"}>
      {depth === 0 && refName(schema) ? (
        <p className="border-b border-line px-3 py-1.5 font-mono text-xs font-medium">
          {typeName(schema)}
        </p>
      ) : null}
      <ul className={depth === 0 ? "divide-y divide-line px-3" : "divide-y divide-line"}>
        {properties.map(([name, property]) => {
          const nested = depth < 6 ? inner(document, property) : null;
          const line = (
            <span className="inline-flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-xs font-medium">{name}</code>
              <code className="font-mono text-xs break-all text-muted">{typeName(property)}</code>
              {required.has(name) ? (
                <span className="text-2xs text-danger">{t("reference.required")}</span>
              ) : null}
            </span>
          );
          return (
            <li key={name} className="py-1.5">
              {nested ? (
                <details>
                  <summary className="rounded-sm">{line}</summary>
                  <div className="mt-1.5 ml-4">
                    <SchemaView document={document} schema={property} depth={depth + 1} />
                  </div>
                </details>
              ) : (
                line
              )}
              {property.description ? <p className="text-xs text-muted">{property.description}</p> : null}
            </li>
          );
        })}
        {properties.length === 0 ? <li className="py-1.5 text-xs text-muted">{t("reference.anyObject")}</li> : null}
      </ul>
    </div>
  );
}
