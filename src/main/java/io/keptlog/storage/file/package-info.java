// SPDX-License-Identifier: Apache-2.0
/** The file layer below both stores: the only place that talks to the operating system, so that tests can put faults here. */
@NullMarked
package io.keptlog.storage.file;

import org.jspecify.annotations.NullMarked;
