// SPDX-License-Identifier: Apache-2.0
/** What journal records say: catalog changes and states, recovery reports, consumer offsets. Part of the on-disk format. */
@NullMarked
package io.keptlog.storage.journal.record;

import org.jspecify.annotations.NullMarked;
