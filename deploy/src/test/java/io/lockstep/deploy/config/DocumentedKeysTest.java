package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/OPERATING.md has the keys that the reader takes, and documents name no other.
 */
class DocumentedKeysTest {
  private static final Path ROOT = Distribution.root();

  /** Each key that there is, but for those that exclude each other. */
  private static final String EACH_KEY =
      """
      cluster: demo
      node: n1
      members:
        - {id: n1, host: 127.0.0.1, storePort: 7100, nodePort: 7102}
      keys: {directory: keys, authority: a, certificate: c, privateKey: p, revoked: r}
      openflow:
        plain: [{switches: [1], addresses: [127.0.0.1]}]
        fingerprints: [{switches: [2], sha256: "%s"}]
      admin: {names: [controller], remote: {host: 0.0.0.0, port: 8443}}
      domains:
        - {name: west, switches: [1-8], masters: [n1]}
      applicationJars: [one.jar]
      store: {directory: data, stateMegabytes: 64}
      switches:
        - {switches: [1], profile: "2920", servedByNode: 200}
      """
          .formatted("ab".repeat(32));

  private static final String REPLICAS_APART =
      """
      cluster: demo
      node: n1
      replica: none
      members:
        - {id: n1, host: 127.0.0.1}
      replicas:
        - {id: s1, host: 127.0.0.1, storePort: 7200}
      """;

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  /** A key of a section, as documents name it in their text. */
  private static final Pattern NAMED =
      Pattern.compile("`([a-z]+(?:\\[\\])?\\.[a-zA-Z]+)(?:: [^`]*)?`");

  @TempDir private Path directory;

  /** The keys that lead to values, without numbers of items. */
  private Set<String> read(String text) throws Exception {
    Path file = Files.writeString(directory.resolve("node.yaml"), text);
    Set<String> keys = new TreeSet<>();
    SettingsReader.effective(file, ApplicationCatalog.BUILT_IN)
        .forEach(value -> keys.add(value.path().replaceAll("\\[[0-9]+]", "[]")));
    return keys;
  }

  private Set<String> known() throws Exception {
    Set<String> known = read(EACH_KEY);
    known.addAll(read(REPLICAS_APART));
    return known;
  }

  /** The first cells of the table; a cell may go on with further keys of its section. */
  private static Set<String> documented() throws IOException {
    String operating = Files.readString(ROOT.resolve("docs/OPERATING.md"));
    String table =
        operating.substring(
            operating.indexOf("## The configuration file"), operating.indexOf("### Datapath ids"));
    Set<String> keys = new TreeSet<>();
    ROW.matcher(table).results().forEach(row -> keys.addAll(keysOf(row.group(1))));
    return keys;
  }

  private static List<String> keysOf(String cell) {
    List<String> keys = new ArrayList<>();
    for (MatchResult span : SPAN.matcher(cell).results().toList()) {
      String key = span.group(1);
      keys.add(
          key.startsWith(".") ? keys.get(0).substring(0, keys.get(0).lastIndexOf('.')) + key : key);
    }
    return keys;
  }

  @Test
  void eachKeyThatTheReaderTakesHasARow() throws Exception {
    assertThat(known()).hasSizeGreaterThan(40).contains("openflow.plain[].addresses");
    // Where replicas are listed apart: the row of the list names their keys.
    assertThat(documented())
        .containsAll(known().stream().filter(key -> !key.startsWith("replicas[].")).toList());
  }

  @Test
  void eachRowIsOfAKeyThatTheReaderTakes() throws Exception {
    Set<String> known = known();
    for (String key : documented()) {
      boolean isOfAnApplication = key.startsWith("applications.");
      boolean isAList = known.stream().anyMatch(each -> each.startsWith(key + "[]."));
      assertThat(isOfAnApplication || isAList || known.contains(key)).as(key).isTrue();
    }
  }

  @Test
  void documentsNameNoOtherKeys() throws Exception {
    Set<String> known = known();
    Set<String> sections = new TreeSet<>();
    known.stream()
        .filter(key -> key.contains("."))
        .forEach(key -> sections.add(key.substring(0, key.indexOf('.')).replace("[]", "")));
    List<String> unknown = new ArrayList<>();
    int named = 0;
    for (Path document : documents()) {
      for (MatchResult match : NAMED.matcher(Files.readString(document)).results().toList()) {
        String key = match.group(1);
        if (sections.contains(key.replaceAll("(\\[\\])?\\..*", ""))) {
          named++;
          boolean isAList = known.stream().anyMatch(each -> each.startsWith(key + "[]."));
          if (!known.contains(key) && !isAList) {
            unknown.add(document.getFileName() + ": " + key);
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(named).isGreaterThan(20);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md")),
              files.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }
}
