// SPDX-License-Identifier: Apache-2.0
/** What is in a file of a data directory, line by line, for people and programs. Reads only; the formats themselves are drawn elsewhere. */
@NullMarked
package io.keptlog.storage.dump;

import org.jspecify.annotations.NullMarked;
