// SPDX-License-Identifier: Apache-2.0
/** What can be asked and set about quorums; on one node every answer says that there is no cluster. */
@NullMarked
package io.keptlog.service.cluster;

import org.jspecify.annotations.NullMarked;
