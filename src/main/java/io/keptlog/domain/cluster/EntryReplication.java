// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import java.util.List;

/** The bookies that one entry was written to, by striping: {@code entryId mod E} and the Qw − 1 after it. */
public record EntryReplication(long ledgerId, long entryId, List<String> bookies) {}
