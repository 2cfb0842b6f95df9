// SPDX-License-Identifier: Apache-2.0
/** Entry point of Keptlog; each sub-package is one room of docs/concepts.md. */
@NullMarked
package io.keptlog;

import org.jspecify.annotations.NullMarked;
