// SPDX-License-Identifier: Apache-2.0
/** What brings a partition back: the scan of its frames, the decision between torn and damaged, and the steps of a cut. */
@NullMarked
package io.keptlog.storage.segment.recovery;

import org.jspecify.annotations.NullMarked;
