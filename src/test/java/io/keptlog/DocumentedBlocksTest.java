// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever the documents tell people to type is typed by a test, except where docker, compose or Kubernetes is needed. A new block has to be
 * taken up here, by a test that runs it or with the reason why none does.
 */
class DocumentedBlocksTest {
    private static final Pattern FENCE = Pattern.compile("^```(\\S*)\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern INDENTED = Pattern.compile(
            "^ {4}(curl|java|mvn|keptlog|bin/|bench/|export|openssl|docker|kubectl|\\$ ).*", Pattern.MULTILINE);
    private static final Pattern CONTAINERS = Pattern.compile("(docker|kubectl) .*|-e KEPTLOG_.* keptlog");

    /** The bash blocks of a document, top to bottom, and a test that names the document and runs them all. */
    private static final Map<String, String> RUN_WHOLE = Map.of(
            "README.md", "system/ReadmeTourIT",
            "docs/api.md", "system/DocumentedCommandsIT",
            "docs/command-line.md", "system/DocumentedCommandsIT",
            "docs/live.md", "system/DocumentedCommandsIT",
            "docs/migration.md", "system/DocumentedCommandsIT");

    /** Bash blocks that are run one by one: the document, the heading above, the test. */
    private static final Map<String, String> RUN_BY_HEADING = Map.of(
            "docs/operating.md, Commands", "system/CommandsIT",
            "docs/operating.md, Measuring", "system/DocumentedCommandsIT");

    /** Lines of sh blocks: the document, how the line begins, and the file that runs it, or why nothing does. */
    private static final List<Line> LINES = List.of(
            new Line("README.md", "mvn spring-boot:run ", "src/test/java/io/keptlog/system/ReadmeTourIT.java", ""),
            new Line("README.md", "mvn verify ", ".ci/run", ""),
            new Line(
                    "README.md",
                    "tail -f access.log | bin/keptlog produce",
                    "src/test/java/io/keptlog/system/DocumentedCommandsIT.java",
                    ""),
            new Line("README.md", "bin/keptlog tail", "src/test/java/io/keptlog/system/DocumentedCommandsIT.java", ""),
            new Line(
                    "README.md",
                    "bin/keptlog explain",
                    "src/test/java/io/keptlog/system/DocumentedCommandsIT.java",
                    ""),
            new Line(
                    "docs/live.md",
                    "target/contract/venv/bin/openapi-generator-cli generate -g java",
                    "bench/contract.sh",
                    ""),
            new Line(
                    "docs/operating.md",
                    "java -jar target/keptlog.jar --server.address=0.0.0.0",
                    "src/test/java/io/keptlog/system/TlsIT.java",
                    ""),
            new Line("docs/operating.md", "--spring.ssl.bundle", "src/test/java/io/keptlog/system/TlsIT.java", ""),
            new Line("docs/operating.md", "--server.ssl.bundle", "src/test/java/io/keptlog/system/TlsIT.java", ""),
            new Line("docs/operating.md", "openssl req ", "src/test/java/io/keptlog/system/TlsIT.java", ""),
            new Line(
                    "docs/operating.md",
                    "curl ",
                    "src/test/java/io/keptlog/system/DocumentedCommandsIT.java",
                    "/snapshot"),
            new Line("docs/cluster.md", "export KEPTLOG_ROOT_USERNAME", "", "a setting of the next line"),
            new Line(
                    "docs/cluster.md",
                    "java -jar target/keptlog.jar dev-cluster",
                    "src/test/java/io/keptlog/cluster/ClusterProcesses.java",
                    "with other sizes, so that a small machine bears it"),
            new Line(
                    "docs/cluster.md",
                    "pulsar-admin ",
                    "",
                    "needs Pulsar; ClusterHttpTest makes the request that it sends"),
            new Line(
                    "docs/cluster.md",
                    "curl ",
                    "",
                    "needs a bookie at that address; ClusterHttpTest makes the request for its own"));

    private record Line(String document, String start, String runs, String remark) {}

    private record Block(String heading, String language, String text) {}

    @TestFactory
    Stream<DynamicTest> everyCommandOfADocumentIsRunByATest() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(Path.of("README.md")));
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        return documents.stream()
                .map(document -> DynamicTest.dynamicTest(document.toString(), () -> assertThat(untested(document))
                        .isEmpty()));
    }

    @Test
    void whatIsSaidToRunThemIsThereAndNamesThem() throws IOException {
        for (Map.Entry<String, String> whole : RUN_WHOLE.entrySet()) {
            assertThat(source(whole.getValue())).contains(whole.getKey());
        }
        for (Map.Entry<String, String> one : RUN_BY_HEADING.entrySet()) {
            String[] place = one.getKey().split(", ");
            assertThat(source(one.getValue())).contains(place[0]).contains("## " + place[1]);
        }
        for (Line line : LINES) {
            assertThat(Files.readString(Path.of(line.document()))).contains(line.start());
            assertThat(line.runs().isEmpty() && line.remark().isEmpty()).isFalse();
            if (!line.runs().isEmpty()) {
                assertThat(Path.of(line.runs())).isRegularFile();
            }
        }
    }

    private static String source(String test) throws IOException {
        return Files.readString(Path.of("src/test/java/io/keptlog/" + test + ".java"));
    }

    private static List<String> untested(Path document) throws IOException {
        String text = Files.readString(document);
        List<String> untested = new ArrayList<>();
        for (Block block : blocks(text)) {
            boolean isRun = RUN_WHOLE.containsKey(document.toString())
                    || RUN_BY_HEADING.containsKey(document + ", " + block.heading());
            switch (block.language()) {
                case "bash" -> {
                    if (!isRun) {
                        untested.add(block.text());
                    }
                }
                case "sh", "shell", "console", "zsh" -> block.text()
                        .lines()
                        .map(String::strip)
                        .filter(line -> !isKnown(document, line))
                        .forEach(untested::add);
                default -> {}
            }
        }
        INDENTED.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .map(found -> found.group())
                .forEach(untested::add);
        return untested;
    }

    private static boolean isKnown(Path document, String line) {
        return line.isEmpty()
                || line.startsWith("#")
                || CONTAINERS.matcher(line).matches()
                || LINES.stream()
                        .anyMatch(known ->
                                known.document().equals(document.toString()) && line.startsWith(known.start()));
    }

    private static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher fences = FENCE.matcher(text);
        while (fences.find()) {
            String before = text.substring(0, fences.start());
            Matcher headings = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE)
                    .matcher(FENCE.matcher(before).replaceAll(""));
            String heading = "";
            while (headings.find()) {
                heading = headings.group(1);
            }
            blocks.add(new Block(heading, fences.group(1), fences.group(2)));
        }
        return blocks;
    }
}
