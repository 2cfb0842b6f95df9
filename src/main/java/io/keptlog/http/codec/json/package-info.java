// SPDX-License-Identifier: Apache-2.0
/** The JSON form of a produce request: a scanner made for it, and the grammar of SendMessages on top. */
@NullMarked
package io.keptlog.http.codec.json;

import org.jspecify.annotations.NullMarked;
