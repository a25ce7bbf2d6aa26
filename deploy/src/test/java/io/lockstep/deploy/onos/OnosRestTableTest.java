package io.lockstep.deploy.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.criteria.Criterion;

/** The tables of docs/ONOS_REST.md, compared with what the router offers. */
class OnosRestTableTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "ONOS_REST.md");
  private static final Pattern REQUEST = Pattern.compile("^\\| `([A-Z]+ /\\S+)` \\|");

  private final OnosRouter router = new OnosRouter(new FakeNetwork().services());

  @Test
  void everyMethodAndPathIsListedAndOffered() throws IOException {
    List<String> listed =
        Files.readAllLines(DOCUMENT).stream()
            .map(REQUEST::matcher)
            .filter(row -> row.find())
            .map(row -> row.group(1))
            .toList();
    assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(router.shown());
  }

  @Test
  void everyCriterionAndInstructionIsListed() throws IOException {
    String document = Files.readString(DOCUMENT);
    for (Criterion.Type type : CriterionJson.types()) {
      assertThat(document).contains("`" + type.name() + "`");
    }
    for (String name : InstructionJson.names()) {
      for (String part : name.split("/", -1)) {
        assertThat(document).contains("`" + part + "`");
      }
    }
  }
}
