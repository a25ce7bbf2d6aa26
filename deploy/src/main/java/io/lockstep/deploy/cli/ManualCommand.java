package io.lockstep.deploy.cli;

import io.lockstep.deploy.manual.CompletionScript;
import io.lockstep.deploy.manual.Manual;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.ProductVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lockstep manual}: writes man pages and completion scripts as they lie below {@code share}.
 * For the script that makes packages.
 */
@Command(name = "manual", hidden = true, description = "Writes man pages and completion scripts.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ManualCommand implements Callable<Integer> {
  @Option(
      names = "--operating",
      required = true,
      paramLabel = "FILE",
      description = "docs/OPERATING.md, whose tables two pages repeat.")
  private Path operating;

  @Option(
      names = "--example",
      required = true,
      paramLabel = "FILE",
      description = "A configuration file.")
  private Path example;

  @Option(
      names = "--date",
      required = true,
      paramLabel = "DATE",
      description = "Of the content; pages show it.")
  private String date;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIRECTORY",
      description = "It gets man, bash-completion and zsh.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    Manual manual =
        new Manual(
            LockstepCommand.line(),
            Files.readAllLines(operating),
            Files.readAllLines(example),
            date,
            ProductVersion.text());
    for (Map.Entry<String, String> page : manual.pages().entrySet()) {
      String section = page.getKey().substring(page.getKey().lastIndexOf('.') + 1);
      write(out.resolve("man/man" + section).resolve(page.getKey()), page.getValue());
    }
    write(
        out.resolve("bash-completion/completions/lockstep"),
        CompletionScript.bash(LockstepCommand.line()));
    write(
        out.resolve("zsh/site-functions/_lockstep"), CompletionScript.zsh(LockstepCommand.line()));
    return ExitCode.DONE;
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }
}
