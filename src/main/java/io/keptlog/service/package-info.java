// SPDX-License-Identifier: Apache-2.0
/** Use cases: produce, poll, offsets, catalog; the background work. Knows no HTTP, JSON or files. */
@NullMarked
package io.keptlog.service;

import org.jspecify.annotations.NullMarked;
