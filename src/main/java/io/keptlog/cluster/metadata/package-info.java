// SPDX-License-Identifier: Apache-2.0
/** What brokers share through the metadata store: who lives, who owns what, the catalog, secrets, reports. */
@NullMarked
package io.keptlog.cluster.metadata;

import org.jspecify.annotations.NullMarked;
