// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.util.Arrays;

/** Pages of a file by number; an absent one is null and means zeros. Guarded by the content it belongs to. */
final class SimulatedPages {
    private byte[][] pages = new byte[8][];
    /** No page from here on. */
    private int end;

    byte[] get(int page) {
        return page < end ? pages[page] : null;
    }

    int end() {
        return end;
    }

    void set(int page, byte[] bytes) {
        if (page >= end) {
            if (bytes == null) {
                return;
            }
            if (page >= pages.length) {
                pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
            }
            end = page + 1;
        }
        pages[page] = bytes;
    }

    /** Everything as there; the arrays of the pages are shared. */
    void setAll(SimulatedPages other) {
        pages = other.pages.clone();
        end = other.end;
    }

    /** Nothing from this page on. */
    void cut(int from) {
        if (from < end) {
            Arrays.fill(pages, from, end, null);
            end = from;
        }
    }
}
