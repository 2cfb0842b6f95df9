// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Columns of text, as wide as their widest cell. */
final class Table {
    private static final String BETWEEN = "  ";

    private final List<String> head;

    Table(String... head) {
        this.head = List.of(head);
    }

    /** A line for each element, below the head. */
    String text(JsonNode elements, Function<JsonNode, List<String>> row) {
        List<List<String>> rows = new ArrayList<>(List.of(head));
        elements.forEach(one -> rows.add(row.apply(one)));
        int[] widths = new int[head.size()];
        for (List<String> one : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], one.get(i).length());
            }
        }
        return rows.stream().map(one -> line(one, widths)).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : BETWEEN)
                    .append(cells.get(i))
                    .repeat(" ", widths[i] - cells.get(i).length());
        }
        return line.toString().stripTrailing();
    }
}
