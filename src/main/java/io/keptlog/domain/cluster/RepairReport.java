// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import java.util.List;

/**
 * What a repair has done.
 *
 * @param written copies that were written again
 * @param replicated parts of ledgers that were copied from other bookies in place of one that is gone
 * @param failures what could not be done, in words
 * @param after what the bookies said afterwards, of the same entries
 */
public record RepairReport(long written, int replicated, List<String> failures, DepthReport after) {}
