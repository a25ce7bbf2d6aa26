package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.admin.DomainDoor;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.DomainsFile;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep domain}: which switch belongs to which domain, and who should master it. */
@Command(
    name = "domain",
    description = "Shows and changes the domains of a running cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DomainCommand.Show.class,
      DomainCommand.Change.class,
      DomainItemCommand.Add.class,
      DomainItemCommand.Remove.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class DomainCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** {@code lockstep domain show}. */
  @Command(
      name = "show",
      description = "Prints the domains and their version in the form of a configuration file.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Exit codes: 0 shown, 1 no node answers, 2 wrong usage.",
        "Without -e and --config: asks 127.0.0.1:8181, :8182 and :8183."
      })
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      JsonNode shown = new RemoteDomains(nodes.asked(spec), nodes.timeoutMillis()).show();
      output.print(spec, shown, shown.path("yaml").asText().lines().toList());
      String waits = RemoteDomains.waits(shown);
      if (!waits.isEmpty()) {
        spec.commandLine().getErr().println("lockstep: " + waits);
      }
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep domain set}. */
  @Command(
      name = "set",
      description =
          "Changes the domains while the nodes run, and waits until the change is in force.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "  domain show > domains.yaml      then change the file, and",
        "  domain set domains.yaml         all domains; 'version' in the file is what it was made"
            + " from",
        "  domain set 1f west              one switch into a domain; a range is 1-1f",
        "  domain set 1f -                 out of its domain: no node masters it then",
        "",
        "Exit codes: 0 in force, 1 refused, failed or not yet in force, 2 wrong usage, 5 decided on"
            + " a",
        "version that is no longer the newest: nothing was changed.",
        "Without -e and --config: asks 127.0.0.1:8181, :8182 and :8183."
      })
  static final class Change implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
        arity = "1..2",
        paramLabel = "FILE | SWITCH DOMAIN",
        description = "A file with 'domains', or a switch in hexadecimal and its new domain.")
    private List<String> what;

    @Option(
        names = "--version",
        paramLabel = "N",
        description =
            "The version that the change was decided on; refused where it is not the newest.")
    private @Nullable Long version;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();

    @Override
    public Integer call() throws OperatorException {
      if (version != null && version < 0) {
        throw new ParameterException(
            spec.commandLine(), "--version " + version + ": give 0 or more");
      }
      RemoteDomains cluster = new RemoteDomains(nodes.asked(spec), nodes.timeoutMillis());
      byte[] file = what.size() == 1 ? read(Path.of(what.get(0))) : new byte[0];
      JsonAnswer said = cluster.change(query(), decidedOn(file), file);
      if (said.status() >= 400) {
        String remedy = said.body().path("remedy").asText("");
        spec.commandLine()
            .getErr()
            .println(
                "lockstep: "
                    + said.body().path("error").asText("HTTP status " + said.status())
                    + (remedy.isEmpty() ? "" : "\n    remedy: " + remedy));
        return said.status() == DomainDoor.OUTDATED ? ExitCode.OUTDATED : ExitCode.FAILED;
      }
      long accepted = said.body().path("version").asLong();
      long inForce = cluster.awaitInForce(accepted);
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          inForce == accepted
              ? "version " + accepted + " of the domains is in force"
              : "version "
                  + inForce
                  + " of the domains, which replaced "
                  + accepted
                  + ", is in force");
      out.flush();
      return ExitCode.DONE;
    }

    /** Empty where the change is decided on the version that the cluster has now. */
    private OptionalLong decidedOn(byte[] file) throws OperatorException {
      if (version != null) {
        return OptionalLong.of(version);
      }
      if (what.size() == 2) {
        return OptionalLong.empty();
      }
      try {
        OptionalLong made =
            DomainsFile.version(what.get(0), new String(file, StandardCharsets.UTF_8));
        if (made.isEmpty()) {
          throw new OperatorException(
              what.get(0) + " does not say which version of the domains it was made from",
              "make it with domain show, or give --version N");
        }
        return made;
      } catch (ConfigException e) {
        throw new OperatorException(e.explanation());
      }
    }

    private String query() {
      StringBuilder query = new StringBuilder("?");
      if (what.size() == 1) {
        query.append("name=").append(encoded(what.get(0)));
      } else {
        query.append("switches=").append(encoded(what.get(0)));
        if (!what.get(1).equals("-")) {
          query.append("&domain=").append(encoded(what.get(1)));
        }
      }
      return query.toString();
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static byte[] read(Path file) throws OperatorException {
      try {
        if (Files.size(file) > DomainDoor.MAX_FILE_BYTES) {
          throw new OperatorException(
              file + ": larger than " + DomainDoor.MAX_FILE_BYTES + " bytes",
              "is it the right file?");
        }
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw new OperatorException(
            file + ": " + (Files.exists(file) ? e.getMessage() : "no such file"),
            "name a file with domains, or a switch and a domain; see domain set --help");
      }
    }
  }
}
