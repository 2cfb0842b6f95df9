// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.cluster.BookieView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;

/** A bookie. */
@Schema(description = "A bookie that is alive.")
public record BookieReply(
        @Schema(example = "10.0.0.1:3181") String id,
        @Schema(description = "Whether it takes new ledgers.", example = "true") boolean writable,
        @JsonProperty("journal_sync")
                @Schema(
                        description = "synced, not_synced, or unverified when its configuration cannot be read. Only"
                                + " synced ones are given messages of persisted topics.",
                        example = "synced")
                String journalSync) {
    public static BookieReply of(BookieView view) {
        return new BookieReply(
                view.id(), view.writable(), view.journalSync().name().toLowerCase(Locale.ROOT));
    }
}
