import { CodeBlock } from "@/ui/CodeBlock";

/** Python, as high as fits beside the rest of a conversation. */
export function ComponentCode({ code }: { code: string }) {
  return (
    <div className="ff-markdown px-3 pb-2 [&_pre]:max-h-80 [&_pre]:overflow-auto">
      <CodeBlock code={code} language="python" />
    </div>
  );
}
