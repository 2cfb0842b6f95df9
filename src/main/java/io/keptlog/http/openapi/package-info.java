// SPDX-License-Identifier: Apache-2.0
/** What the generated API document says beyond the controllers' own annotations. */
@NullMarked
package io.keptlog.http.openapi;

import org.jspecify.annotations.NullMarked;
