package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.emulate.EmulateCommand;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.DocumentedCommands;
import io.lockstep.deploy.testbed.DocumentedCommands.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of this module that documents print; those of deploy are in its own test. */
class DemoDocumentsTest {
  private static final Set<String> OURS = Set.of("demo", "emulate");

  /** Stands for the whole command line. */
  @Command(name = "lockstep")
  private static final class Whole {}

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.list(Distribution.root().resolve("docs"))) {
      return Stream.concat(
              Stream.of(Distribution.root().resolve("README.md")),
              files.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }

  /** Without what the script of a checkout takes out itself. */
  private static Written forThisModule(Written written) {
    List<String> words =
        written.words().stream().filter(word -> !word.equals("--install")).toList();
    return new Written(written.place(), words, written.complete());
  }

  @Test
  void eachCommandOfADocumentIsTaken() throws IOException {
    CommandLine line = new CommandLine(new Whole());
    line.addSubcommand(new DemoCommand()).addSubcommand(new EmulateCommand());
    List<Written> commands = new ArrayList<>();
    for (Path document : documents()) {
      commands.addAll(DocumentedCommands.ofMarkdown(document));
      commands.addAll(DocumentedCommands.namedIn(document, OURS));
    }
    commands.removeIf(written -> !OURS.contains(written.words().get(0)));
    assertThat(commands).hasSizeGreaterThan(8);
    assertThat(
            commands.stream()
                .map(DemoDocumentsTest::forThisModule)
                .map(written -> DocumentedCommands.problem(line, written))
                .flatMap(Optional::stream))
        .isEmpty();
  }
}
