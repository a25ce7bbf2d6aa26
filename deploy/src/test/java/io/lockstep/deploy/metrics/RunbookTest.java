package io.lockstep.deploy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RunbookTest {
  private static String runbook() throws IOException {
    return Files.readString(Distribution.root().resolve("docs/RUNBOOK.md"));
  }

  /** The text below a heading, up to the next. */
  private static String section(String runbook, String name) {
    int from = runbook.indexOf("\n## " + name + "\n");
    int to = runbook.indexOf("\n## ", from + 1);
    return from < 0 ? "" : runbook.substring(from, to < 0 ? runbook.length() : to);
  }

  @Test
  void eachAlertIsReadFromTheFile() throws IOException {
    assertThat(Monitoring.alerts()).hasSize((int) Monitoring.alertLines());
    assertThat(Monitoring.alerts()).hasSizeGreaterThan(15);
  }

  @Test
  void eachAlertHasItsSectionThatSaysWhatItMeansAndWhatToDo() throws IOException {
    String runbook = runbook();
    List<String> wrong = new ArrayList<>();
    for (Monitoring.Alert alert : Monitoring.alerts()) {
      String section = section(runbook, alert.name());
      for (String part : List.of("**Means.** ", "**Look at**\n\n- ", "**Do**\n\n- ")) {
        if (!section.contains(part)) {
          wrong.add(alert.name() + ": " + part.strip());
        }
      }
      String anchor = alert.name().toLowerCase(Locale.ROOT);
      if (!alert.runbook().equals("docs/RUNBOOK.md#" + anchor)) {
        wrong.add(alert.name() + ": " + alert.runbook());
      }
      if (!runbook.contains("| [" + alert.name() + "](#" + anchor + ") | " + alert.severity())) {
        wrong.add(alert.name() + ": not in the table");
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void eachSectionIsAboutAnAlert() throws IOException {
    List<String> names = Monitoring.alerts().stream().map(Monitoring.Alert::name).toList();
    assertThat(runbook().lines().filter(line -> line.startsWith("## ")))
        .allMatch(line -> names.contains(line.substring(3)))
        .doesNotHaveDuplicates();
  }
}
