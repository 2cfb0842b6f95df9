// SPDX-License-Identifier: Apache-2.0
/** The hot path's own readers and writers: produce bodies in, poll bodies out, without an object per message. */
@NullMarked
package io.keptlog.http.codec;

import org.jspecify.annotations.NullMarked;
