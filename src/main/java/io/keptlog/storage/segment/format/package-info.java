// SPDX-License-Identifier: Apache-2.0
/** What lies in a partition's directory: names, and the bytes of each file beside the frames. */
@NullMarked
package io.keptlog.storage.segment.format;

import org.jspecify.annotations.NullMarked;
