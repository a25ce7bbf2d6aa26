package io.lockstep.deploy.cli;

import io.lockstep.deploy.manual.CompletionScript;
import io.lockstep.deploy.process.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep completion}: how a shell completes this command line. */
@Command(
    name = "completion",
    description = "Prints a script with which a shell completes commands and options.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  source <(lockstep completion bash)      in ~/.bashrc",
      "  source <(lockstep completion zsh)       in ~/.zshrc, behind compinit"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  public Integer call() {
    // Of a command line of its own, since the script's commands are added to it.
    String script =
        switch (shell) {
          case bash -> CompletionScript.bash(LockstepCommand.line());
          case zsh -> CompletionScript.zsh(LockstepCommand.line());
        };
    PrintWriter out = spec.commandLine().getOut();
    out.print(script);
    out.flush();
    return ExitCode.DONE;
  }
}
