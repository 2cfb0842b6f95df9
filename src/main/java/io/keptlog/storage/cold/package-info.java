// SPDX-License-Identifier: Apache-2.0
/** Bytes of mapped files that are not in memory: who reads them waits for the disk, but not on a thread that others need. */
@NullMarked
package io.keptlog.storage.cold;

import org.jspecify.annotations.NullMarked;
