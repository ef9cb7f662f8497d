const PAUSES = [300, 1000, 3000];

/** Loads a part of the page; a server that is away for a moment is asked again. */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}

/** Whether an error says that a part of the page could not be loaded. Every browser has its own words for it. */
export function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}
