// SPDX-License-Identifier: Apache-2.0
// Paths of the few pictures, drawn as strokes in a square of 24.

export const ICONS = {
  overview: 'M4 19V11M10 19V5M16 19v-7M22 19H2',
  streams: 'M4 6h16M4 12h16M4 18h10',
  recovery: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4',
  cluster: 'M12 3v6M12 9l-7 5M12 9l7 5M12 3a2 2 0 100 .010M5 14a3 3 0 100 6 3 3 0 000-6zM19 14a3 3 0 100 6 3 3 0 000-6z',
  users: 'M9 11a4 4 0 100-8 4 4 0 000 8zM2 21c0-4 3-7 7-7s7 3 7 7M16 4a4 4 0 010 7M18 14c2.500 1 4 3.500 4 7',
  docs: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7',
  theme: 'M12 3a9 9 0 100 18zM12 3a9 9 0 010 18',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6',
  refresh: 'M20 12a8 8 0 11-2.500-5.800M20 4v5h-5',
  older: 'M15 5l-7 7 7 7',
  newer: 'M9 5l7 7-7 7',
  send: 'M4 12l16-8-5 16-4-7z',
  check: 'M5 13l4 4L19 7',
  warn: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
  cross: 'M6 6l12 12M18 6L6 18',
};
