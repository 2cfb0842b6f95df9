// SPDX-License-Identifier: Apache-2.0
/** The catalog and its changes as JSON: the same for the journal of a node and the metadata store of a cluster. Part of the format of both. */
@NullMarked
package io.keptlog.storage.record;

import org.jspecify.annotations.NullMarked;
