export const ZOOM = { min: 0.05, max: 2, compactBelow: 0.4 } as const;

const STOPS = [0.05, 0.1, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2];

/** The next round zoom above or below the present one. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const slack = 0.005;
  const stop =
    direction === 1
      ? STOPS.find((candidate) => candidate > zoom + slack)
      : STOPS.findLast((candidate) => candidate < zoom - slack);
  return stop ?? (direction === 1 ? ZOOM.max : ZOOM.min);
}

export function zoomText(zoom: number): string {
  return `${Math.round(zoom * 100)}%`;
}
