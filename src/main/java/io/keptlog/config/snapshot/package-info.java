// SPDX-License-Identifier: Apache-2.0
/** What a snapshot for fault finding holds: the newest log lines, settings without secrets, threads, files by name and size. */
@NullMarked
package io.keptlog.config.snapshot;

import org.jspecify.annotations.NullMarked;
