package io.lockstep.deploy.config;

import io.lockstep.deploy.config.NodeSettings.LinkSecurity;
import io.lockstep.deploy.config.NodeSettings.Member;
import io.lockstep.deploy.config.NodeSettings.OpenFlow;
import io.lockstep.deploy.config.NodeSettings.Replica;
import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.keys.KeyFiles;
import io.lockstep.yaml.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads {@code keys} and {@code insecure}, and requires one of them where the cluster's own links
 * leave this machine, or switches may come from elsewhere.
 */
final class SecuritySection {
  private static final String KEYS = "keys";
  private static final String INSECURE = "insecure";
  private static final String OPENFLOW = "openflow";
  private static final String PATH = "[^\\x00]{1,1024}";
  private static final String PATH_REMEDY = "give a file, relative to this one";

  private final Path home;
  private final Role role;

  /**
   * @param home what paths are relative to
   * @param role of the process that reads the file; a client listens on no port
   */
  SecuritySection(Path home, Role role) {
    this.home = home;
    this.role = role;
  }

  /** Whether the file says who may connect, by keys or in so many words. */
  static boolean isDecided(Section root) {
    return root.has(KEYS) || root.has(INSECURE);
  }

  LinkSecurity read(Section root, List<Member> members, List<Replica> replicas, OpenFlow openflow) {
    boolean insecure = root.flag(INSECURE, false);
    if (root.has(KEYS)) {
      if (insecure) {
        root.complain(
            INSECURE, "the file has keys, so it is not insecure", "remove one of the two");
      }
      return new LinkSecurity(files(root.section(KEYS)), false);
    }
    if (role != Role.CLIENT && !insecure) {
      requireLoopback(root, members, replicas);
      if (role == Role.NODE && !openflow.listensOnLoopback() && openflow.plain().isEmpty()) {
        root.complain(
            OPENFLOW,
            "everyone who reaches "
                + openflow.host()
                + ":"
                + openflow.port()
                + " could be a switch, since there are no keys",
            "make keys with ./lockstep pki (docs/OPERATING.md, \"Keys\"), or list in"
                + " 'openflow.plain' which switches may connect without TLS, and from where; or"
                + " write 'insecure: true'");
      }
    }
    return new LinkSecurity(null, insecure);
  }

  private KeyFiles files(Section section) {
    KeyFiles usual =
        KeyFiles.of(home.resolve(section.text("directory", KEYS, PATH, "give a directory")));
    KeyFiles files =
        new KeyFiles(
            file(section, "authority", usual.authority()),
            file(section, "certificate", usual.certificate()),
            file(section, "privateKey", usual.privateKey()),
            file(section, "revoked", usual.revoked()));
    section.finish();
    return files;
  }

  private Path file(Section section, String key, Path usual) {
    return section.has(key) ? home.resolve(section.text(key, "", PATH, PATH_REMEDY)) : usual;
  }

  /**
   * Where the store's and the nodes' ports are reached over a network, everyone there could change
   * the cluster's state. The admin HTTP listens on loopback in any case.
   */
  private static void requireLoopback(Section root, List<Member> members, List<Replica> replicas) {
    Stream.concat(members.stream().map(Member::host), replicas.stream().map(Replica::host))
        .filter(host -> !host.matches(SettingsReader.LOOPBACK))
        .findFirst()
        .ifPresent(
            host ->
                root.complain(
                    KEYS,
                    "the cluster's links leave this machine (" + host + ") and there are no keys",
                    "make keys with ./lockstep pki (docs/OPERATING.md, \"Keys\") and write 'keys:"
                        + " {directory: keys}'; or write 'insecure: true', and let nobody else"
                        + " reach the ports"));
  }
}
