package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.manual.CompletionScript;
import io.lockstep.deploy.manual.Manual;
import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Man pages and completion say all that the command line and the document say. */
class ManualTest {
  private static final Path OPERATING = Distribution.root().resolve("docs/OPERATING.md");

  /** A row of a table, its first cell the name of a key or several. */
  private static final Pattern KEY = Pattern.compile("(?m)^\\| `([A-Za-z.\\[\\]-]+)`");

  private static Map<String, String> pages;

  @BeforeAll
  static void write() throws IOException {
    pages = manual(Files.readAllLines(OPERATING)).pages();
  }

  private static Manual manual(List<String> operating) {
    return new Manual(
        LockstepCommand.line(), operating, List.of("cluster: example"), "2026-11-20", "1.2");
  }

  private static List<CommandLine> visible(CommandLine command) {
    return command.getSubcommands().values().stream()
        .distinct()
        .filter(one -> !one.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  /** As it stands in a page. */
  private static String roff(String name) {
    return name.replace("-", "\\-");
  }

  private static void describesAll(String page, CommandLine command) {
    assertThat(page).contains(roff(command.getCommandSpec().qualifiedName()));
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        assertThat(page).as(command.getCommandName()).contains(roff(option.longestName()));
      }
    }
    visible(command).forEach(nested -> describesAll(page, nested));
  }

  @Test
  void eachCommandHasAPageWithAllItsOptionsAndSubcommands() {
    List<CommandLine> commands = visible(LockstepCommand.line());
    assertThat(commands).hasSizeGreaterThan(15);
    for (CommandLine command : commands) {
      String name = "lockstep-" + command.getCommandName();
      assertThat(pages).containsKey(name + ".1");
      describesAll(pages.getOrDefault(name + ".1", ""), command);
      assertThat(pages.get("lockstep.1")).contains(roff(name) + "\\fR(1)");
    }
    assertThat(pages).hasSize(commands.size() + 2).doesNotContainKey("lockstep-rehearse.1");
  }

  @Test
  void thePageOfTheFileHasEachKeyOfTheDocument() throws IOException {
    String document = Files.readString(OPERATING);
    String part =
        document.substring(
            document.indexOf("## The configuration file"), document.indexOf("### Datapath ids"));
    List<String> keys = KEY.matcher(part).results().map(found -> found.group(1)).toList();
    assertThat(keys).contains("cluster", "members[].id", "log.file");
    for (String key : keys) {
      assertThat(pages.get("lockstep.yaml.5")).contains("\n.TP\n\\fB" + roff(key) + "\\fR");
    }
    assertThat(pages.get("lockstep.1")).contains("\n.TP\n12\n");
  }

  @Test
  void nothingButTheMacrosOfManPagesIsLeft() {
    pages.forEach(
        (name, page) -> {
          List<String> macros = new ArrayList<>();
          page.lines().filter(line -> line.startsWith(".")).forEach(macros::add);
          assertThat(macros)
              .as(name)
              .allMatch(line -> line.matches("\\.(TH .*|SH .*|SS .*|PP|TP|nf|fi|nh|ad l)"));
          assertThat(page).as(name).doesNotContain("${", "@|", "](", "**", "./lockstep");
          assertThat(page.lines()).as(name).noneMatch(line -> line.startsWith("'"));
        });
  }

  @Test
  void aDocumentWithoutThePartsOfThePagesIsRefused() {
    assertThatThrownBy(() -> manual(List.of("# Operating", "", "text")).pages())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Exit codes");
  }

  @Test
  void completionKnowsTheCommandsAndThoseOfTheScriptAndNoHiddenOnes() {
    for (String script :
        List.of(
            CompletionScript.bash(LockstepCommand.line()),
            CompletionScript.zsh(LockstepCommand.line()))) {
      MatchResult first =
          Pattern.compile("local commands=\"([^\"]*)\"")
              .matcher(script)
              .results()
              .findFirst()
              .get();
      assertThat(first.group(1).split(" "))
          .contains("node", "status", "domain", "vip", "completion", "help", "version")
          .doesNotContain("rehearse", "manual");
    }
    assertThat(CompletionScript.zsh(LockstepCommand.line())).startsWith("#compdef lockstep\n");
  }
}
