package io.lockstep.deploy.cli;

import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeyReader;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep pki}: the authority of a cluster, in a directory of this machine. */
@Command(
    name = "pki",
    description = "Makes, renews and revokes the keys of a cluster's nodes, switches and people.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  pki init --cluster lab --directory pki      the authority: keep this directory safe",
      "  pki issue -d pki --role node n1 --host 10.0.0.1",
      "  pki issue -d pki --role switch s1 --dpid 1f",
      "  pki issue -d pki --role admin alice         people: admin, operate or read",
      "  pki renew -d pki n1                         a new key and certificate",
      "  pki revoke -d pki n1                        all certificates of n1, or one by its number",
      "  pki show -d pki",
      "",
      "Asks no node. docs/OPERATING.md, \"Keys\", says what to copy where."
    },
    subcommands = {
      PkiCommand.Init.class,
      PkiCommand.Issue.class,
      PkiCommand.Renew.class,
      PkiCommand.Revoke.class,
      PkiShowCommand.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class PkiCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** Where the authority is. */
  static final class Place {
    @Option(
        names = {"-d", "--directory"},
        paramLabel = "DIR",
        defaultValue = "pki",
        description = "The directory of the authority (default: pki).")
    private Path directory;

    /** Work on the authority. */
    interface Work<T> {
      T run(Authority authority) throws KeysException;
    }

    <T> T with(Work<T> work) throws OperatorException {
      try (Authority authority =
          Authority.open(directory, InstantSource.system(), new SecureRandom())) {
        return work.run(authority);
      } catch (KeysException e) {
        throw new OperatorException(e.getMessage(), e.remedy());
      }
    }
  }

  private static void printOwner(PrintWriter out, KeyFiles files, PeerIdentity owner) {
    out.printf(
        "%s: %s of cluster %s until %s, number %s%n",
        files.certificate().getParent(),
        owner,
        owner.cluster(),
        owner.notAfter(),
        owner.serialText());
    out.flush();
  }

  private static PeerIdentity owner(KeyFiles files) throws KeysException {
    try {
      return PeerIdentity.of(KeyReader.certificate(files.certificate()));
    } catch (RefusedPeerException e) {
      throw new KeysException(files.certificate() + ": " + e.getMessage(), "issue it anew");
    }
  }

  /** {@code lockstep pki init}. */
  @Command(
      name = "init",
      description = "Makes the authority of a new cluster.",
      mixinStandardHelpOptions = true)
  static final class Init implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--cluster",
        required = true,
        paramLabel = "NAME",
        description = "The cluster's name, as the nodes' files have it.")
    private String cluster;

    @Option(
        names = {"-d", "--directory"},
        paramLabel = "DIR",
        defaultValue = "pki",
        description = "A new directory (default: pki).")
    private Path directory;

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "" + Authority.USUAL_DAYS,
        description = "How long the authority is valid (default: ${DEFAULT-VALUE}).")
    private int days;

    @Override
    public Integer call() throws OperatorException {
      try {
        Authority.init(directory, cluster, days, InstantSource.system(), new SecureRandom());
      } catch (KeysException e) {
        throw new OperatorException(e.getMessage(), e.remedy());
      }
      PrintWriter out = spec.commandLine().getOut();
      out.printf("%s: the authority of cluster %s%n", directory, cluster);
      out.println(
          "Whoever has authority.key can join the cluster: keep the directory off the nodes.");
      out.flush();
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep pki issue}. */
  @Command(
      name = "issue",
      description = "Makes a key and a certificate in DIR/ROLE-NAME, to copy to their owner.",
      mixinStandardHelpOptions = true)
  static final class Issue implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private Place place = new Place();

    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "node, switch, admin, operate or read.")
    private PeerRole role;

    @Option(
        names = "--host",
        paramLabel = "HOST",
        description = "A host name or IP address of the owner; may be given several times.")
    private List<String> hosts = new ArrayList<>();

    @Option(
        names = "--dpid",
        paramLabel = "DPID",
        description = "A datapath id of the switch; may be given several times.")
    private List<String> dpids = new ArrayList<>();

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "" + IssueOrder.USUAL_DAYS,
        description = "How long the certificate is valid (default: ${DEFAULT-VALUE}).")
    private int days;

    @Parameters(index = "0", paramLabel = "NAME", description = "As the node's file names it.")
    private String name;

    @Override
    public Integer call() throws OperatorException {
      List<Long> ids = new ArrayList<>();
      for (String dpid : dpids) {
        ids.add(Long.parseUnsignedLong(DatapathIdParameter.parse(spec, dpid), 16));
      }
      place.with(
          authority -> {
            KeyFiles files = authority.issue(new IssueOrder(role, name, hosts, ids, days));
            printOwner(spec.commandLine().getOut(), files, owner(files));
            return files;
          });
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep pki renew}. */
  @Command(
      name = "renew",
      description = {
        "Makes a new key and certificate that say the same as the newest ones of NAME.",
        "The old certificate stays valid until it ends or is revoked."
      },
      mixinStandardHelpOptions = true)
  static final class Renew implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private Place place = new Place();

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "" + IssueOrder.USUAL_DAYS,
        description = "How long the certificate is valid (default: ${DEFAULT-VALUE}).")
    private int days;

    @Option(
        names = "--host",
        paramLabel = "HOST",
        description =
            "A host name or address of the owner, where it has moved; may be repeated. Without it"
                + " those of the certificate before.")
    private List<String> hosts = new ArrayList<>();

    @Parameters(index = "0", paramLabel = "NAME", description = "A name, or ROLE/NAME.")
    private String name;

    @Override
    public Integer call() throws OperatorException {
      place.with(
          authority -> {
            KeyFiles files = authority.renew(name, hosts, days);
            printOwner(spec.commandLine().getOut(), files, owner(files));
            return files;
          });
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep pki revoke}. */
  @Command(
      name = "revoke",
      description = {
        "Revokes certificates. Copy revoked.crl to every node afterwards: nodes read it while they",
        "run, and close connections of those that are revoked."
      },
      mixinStandardHelpOptions = true)
  static final class Revoke implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private Place place = new Place();

    @Parameters(
        index = "0",
        paramLabel = "WHICH",
        description = "A name, ROLE/NAME, or the number of one certificate.")
    private String which;

    @Override
    public Integer call() throws OperatorException {
      List<PeerIdentity> ended = place.with(authority -> authority.revoke(which));
      PrintWriter out = spec.commandLine().getOut();
      ended.forEach(one -> out.printf("revoked: %s, number %s%n", one, one.serialText()));
      out.println(
          place.directory.resolve(KeyFiles.REVOKED)
              + " has it: copy this file into the directory of keys of every node");
      out.flush();
      return ExitCode.DONE;
    }
  }
}
