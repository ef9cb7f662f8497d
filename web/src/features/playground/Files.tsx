import { useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { filesQuery, fileUrl } from "@/api/files";
import type { FileRead } from "@/api/types";

/** The files of a message: pictures as pictures, everything else by its name. */
export function Files({ paths }: { paths: readonly string[] }) {
  return paths.length === 0 ? null : <FileList paths={paths} />;
}

function FileList({ paths }: { paths: readonly string[] }) {
  const files = useQuery({ ...filesQuery, staleTime: 60_000 });
  return (
    <ul className="flex flex-wrap gap-1.5">
      {paths.map((path) => (
        <li key={path} className="min-w-0 max-w-full">
          <FileItem path={path} file={files.data?.find((file) => file.path === path) ?? null} />
        </li>
      ))}
    </ul>
  );
}

const chipClass =
  "flex max-w-full items-center gap-1.5 rounded-md border border-line bg-surface px-2 py-0.5 text-xs";

function FileItem({ path, file }: { path: string; file: FileRead | null }) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState(false);
  const icon = <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-faint" />;
  if (!file) {
    return (
      <span className={chipClass} title={path}>
        {icon}
        <span className="truncate">{t("playground.file")}</span>
      </span>
    );
  }
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(file.mime_type);
  if (isPicture && !broken) {
    return (
      <a href={fileUrl(file.id)} target="_blank" rel="noreferrer" className="block rounded-md">
        <img
          src={fileUrl(file.id)}
          alt={file.name}
          loading="lazy"
          onError={() => setBroken(true)}
          className="h-32 max-w-full rounded-md border border-line bg-sunken object-contain"
        />
      </a>
    );
  }
  return (
    <a href={fileUrl(file.id)} download={file.name} className={`${chipClass} hover:bg-hover`}>
      {icon}
      <span className="truncate">{file.name}</span>
    </a>
  );
}
