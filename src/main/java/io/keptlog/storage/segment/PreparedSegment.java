// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.StoreFile;
import java.nio.file.Path;

/**
 * The next segment's file under its temporary name: allocated, without header and base.
 *
 * @param file the descriptor that frames will be written through
 */
record PreparedSegment(Path path, StoreFile file, SegmentSpace space) {}
