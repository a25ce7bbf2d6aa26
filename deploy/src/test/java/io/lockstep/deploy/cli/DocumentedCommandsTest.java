package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.DocumentedCommands;
import io.lockstep.deploy.testbed.DocumentedCommands.Written;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * What documents and examples tell operators to type is in the model of the command line, from
 * which completion and man pages are made.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Distribution.root();

  /** Of the script alone; the last two are of the module demo, whose test has them. */
  private static final Set<String> ELSEWHERE =
      Set.of("build", "check", "test", "bench", "package", "help", "version", "demo", "emulate");

  private final CommandLine line = LockstepCommand.line();

  /** Documents for those who install and operate. */
  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    documents.add(ROOT.resolve("deploy/package/README.md"));
    documents.add(ROOT.resolve("examples/monitoring/README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  private static List<Path> examples() throws IOException {
    List<Path> files = new ArrayList<>(List.of(ROOT.resolve("deploy/container/Dockerfile")));
    for (String directory : List.of("ansible", "compose", "kubernetes", "systemd", "three-nodes")) {
      try (Stream<Path> all = Files.walk(ROOT.resolve("examples").resolve(directory), 2)) {
        all.filter(file -> file.toString().matches(".*\\.(yaml|ini|j2|service|default)"))
            .forEach(files::add);
      }
    }
    return files;
  }

  private void allAreTaken(List<Written> commands, int least) {
    List<String> problems =
        commands.stream()
            .filter(written -> !ELSEWHERE.contains(written.words().get(0)))
            .map(written -> DocumentedCommands.problem(line, written))
            .flatMap(Optional::stream)
            .toList();
    assertThat(problems).isEmpty();
    assertThat(commands).hasSizeGreaterThan(least);
  }

  @Test
  void eachCommandOfADocumentIsTaken() throws IOException {
    List<Written> commands = new ArrayList<>();
    for (Path document : documents()) {
      commands.addAll(DocumentedCommands.ofMarkdown(document));
    }
    allAreTaken(commands, 100);
    assertThat(commands.stream().filter(Written::complete)).hasSizeGreaterThan(60);
  }

  @Test
  void eachCommandOfAnExampleIsTaken() throws IOException {
    List<Written> commands = new ArrayList<>();
    for (Path file : examples()) {
      commands.addAll(DocumentedCommands.ofLines(file));
    }
    allAreTaken(commands, 8);
  }

  @Test
  void eachSubcommandAndOptionThatADocumentNamesIsThere() throws IOException {
    Set<String> names = new TreeSet<>(line.getSubcommands().keySet());
    List<Written> commands = new ArrayList<>();
    for (Path document : documents()) {
      // The README's table of figures has commands of the benchmarks.
      if (!document.equals(ROOT.resolve("README.md"))) {
        commands.addAll(DocumentedCommands.namedIn(document, names));
      }
    }
    allAreTaken(commands, 30);
  }

  /** The codes that say more than done, failed and wrong usage. */
  private static final Pattern CODE = Pattern.compile("\\b(4|5|1[0-2]|130|143) [a-z]");

  private static String help(CommandLine command) {
    StringBuilder help = new StringBuilder();
    help.append(String.join("\n", command.getCommandSpec().usageMessage().footer())).append('\n');
    command.getSubcommands().values().forEach(nested -> help.append(help(nested)));
    return help.toString();
  }

  @Test
  void theTableOfExitCodesNamesTheCommandsWhoseHelpDoes() throws Exception {
    List<String> rows = Files.readAllLines(ROOT.resolve("docs/OPERATING.md"));
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (CommandLine command : line.getSubcommands().values()) {
      String help = help(command);
      int from = help.indexOf("Exit codes:");
      Matcher code = CODE.matcher(from < 0 ? "" : help.substring(from));
      while (code.find()) {
        found++;
        String row = "| " + code.group(1) + " | ";
        String name = "`" + command.getCommandName() + "`";
        if (rows.stream().noneMatch(each -> each.startsWith(row) && each.contains(name))) {
          missing.add(name + " in the row of " + code.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(10);
    for (Field constant : ExitCode.class.getFields()) {
      String row = "| " + constant.getInt(null) + " | ";
      assertThat(rows).as(constant.getName()).anyMatch(each -> each.startsWith(row));
    }
  }

  @Test
  void whatIsNotThereIsFound() {
    assertThat(problem(true, "drian", "n1")).contains("drian");
    assertThat(problem(true, "drain")).contains("Missing required");
    assertThat(problem(true, "drain", "n1", "--forse")).contains("--forse");
    assertThat(problem(true, "store", "copy")).contains("copy");
    assertThat(problem(false, "store", "copy")).contains("copy");
    assertThat(problem(false, "drain", "[--forse]")).contains("--forse");
    assertThat(problem(false, "drain")).isEmpty();
    assertThat(problem(true, "drain", "n1", "--force")).isEmpty();
  }

  private String problem(boolean complete, String... words) {
    return DocumentedCommands.problem(line, new Written("here:1", List.of(words), complete))
        .orElse("");
  }
}
