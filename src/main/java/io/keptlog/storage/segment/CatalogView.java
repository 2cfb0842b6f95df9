// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.Removal;
import java.util.List;

/**
 * What the catalog says exists, as the store's start needs it.
 *
 * @param removals tombstones
 * @param complete false when the catalog itself was damaged: then a partition that it does not name may still be somebody's, and is left
 *     where it is
 */
public record CatalogView(List<PartitionSpec> specs, List<Removal> removals, boolean complete) {
    public CatalogView {
        specs = List.copyOf(specs);
        removals = List.copyOf(removals);
    }
}
