// SPDX-License-Identifier: Apache-2.0
// Runs before the first paint, so that a chosen theme does not flash. The choice is the only thing that outlives the tab.
'use strict';
{
  const KEY = 'keptlog.theme';
  const CHOICES = ['auto', 'light', 'dark'];
  const read = () => {
    try {
      const kept = localStorage.getItem(KEY);
      return CHOICES.includes(kept) ? kept : 'auto';
    } catch {
      return 'auto'; // A browser may refuse storage; the system's theme is then used.
    }
  };
  const apply = (choice) => {
    document.documentElement.dataset.theme = choice;
    document.dispatchEvent(new CustomEvent('keptlog:theme'));
  };
  let choice = read();
  apply(choice);
  window.keptlogTheme = {
    current: () => choice,
    next() {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      try {
        localStorage.setItem(KEY, choice);
      } catch {
        // It lasts until the page is left.
      }
      apply(choice);
      return choice;
    },
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(choice));
}
