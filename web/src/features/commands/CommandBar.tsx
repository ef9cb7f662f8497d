import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { openCommandBar } from "@/stores/intents";
import { backdropClass } from "@/ui/backdrop";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import { type Command, type CommandGroup, findCommands, sections } from "./commands";
import { useCommands, useFlowCommands } from "./useCommands";

const groupLabels = {
  actions: "commands.group.actions",
  flows: "commands.group.flows",
  projects: "commands.group.projects",
  go: "commands.group.go",
  settings: "commands.group.settings",
} as const satisfies Record<CommandGroup, string>;

export default function CommandBar({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const flows = useFlowCommands(text);
  const fixed = useCommands(onSignOut);

  const groups = useMemo(
    () => sections(findCommands([...flows.commands, ...fixed], text)),
    [flows.commands, fixed, text],
  );
  const ordered = useMemo(() => groups.flatMap((group) => group.commands), [groups]);
  const current = Math.min(active, ordered.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;

  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, current]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    openCommandBar(false);
    command.run();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = ordered.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: current >= last ? 0 : current + 1,
      ArrowUp: current <= 0 ? last : current - 1,
      PageDown: Math.min(last, current + 8),
      PageUp: Math.max(0, current - 8),
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(ordered[current]);
    }
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && openCommandBar(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          initialFocus={input}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(600px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-3 outline-none"
        >
          <Dialog.Title className="sr-only">{t("shell.openCommandBar")}</Dialog.Title>
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
            <input
              ref={input}
              type="text"
              role="combobox"
              aria-label={t("shell.openCommandBar")}
              aria-expanded="true"
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={ordered.length > 0 ? optionId(current) : undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder={t("commands.placeholder")}
              value={text}
              className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
              onChange={(event) => {
                setText(event.target.value);
                setActive(0);
              }}
              onKeyDown={onKeyDown}
            />
            <span className="flex size-4 shrink-0">
              {flows.loading ? <Spinner className="text-faint" /> : null}
            </span>
          </div>
          <div
            id={listId}
            role="listbox"
            aria-label={t("commands.results")}
            className="scroll-thin min-h-24 overflow-y-auto p-1.5"
          >
            {groups.map((group) => (
              <div key={group.group} role="group" aria-label={t(groupLabels[group.group])}>
                <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
                  {t(groupLabels[group.group])}
                </div>
                {group.commands.map((command) => {
                  const index = ordered.indexOf(command);
                  return (
                    <div
                      key={command.id}
                      id={optionId(index)}
                      role="option"
                      tabIndex={-1}
                      aria-selected={index === current}
                      className={cx(
                        "flex h-9 items-center gap-2.5 rounded-md px-2.5",
                        index === current && "bg-hover",
                      )}
                      onPointerMove={() => setActive(index)}
                      onClick={() => run(command)}
                      onKeyDown={() => {}}
                    >
                      <span aria-hidden="true" className="text-muted">
                        {command.icon}
                      </span>
                      <span className="min-w-0 flex-1 truncate">{command.label}</span>
                    </div>
                  );
                })}
              </div>
            ))}
            {ordered.length === 0 ? (
              <p className="px-2.5 py-6 text-center text-muted">{t("commands.none", { text })}</p>
            ) : null}
          </div>
          <p role="status" className="sr-only">
            {t("commands.count", { count: ordered.length })}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
