package io.lockstep.deploy.config;

import io.lockstep.deploy.config.NodeSettings.LinkSecurity;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code admin}: where the admin HTTP listens for this machine, and for others. */
final class AdminSection {
  private static final String ADMIN = "admin";
  private static final String REMOTE = "remote";
  private static final String HOST = SettingsReader.HOST;
  private static final String HOST_REMEDY = SettingsReader.HOST_REMEDY;

  private AdminSection() {}

  /**
   * What the section says.
   *
   * @param remote for other machines; null for none
   */
  record Admin(Listener local, List<String> names, @Nullable Listener remote) {
    Admin {
      names = List.copyOf(names);
    }
  }

  static Admin read(Section root) {
    Section section = root.section(ADMIN);
    List<String> names = names(section);
    Listener remote = section.has(REMOTE) ? remote(section.section(REMOTE)) : null;
    Listener local = listener(section, section.text("host", "127.0.0.1", HOST, HOST_REMEDY), 8181);
    if (!local.host().matches(SettingsReader.LOOPBACK)) {
      section.complain(
          "host",
          "the admin HTTP has no TLS here and listens on loopback only",
          "remove the key or write 127.0.0.1; for other machines write 'remote: {host: 0.0.0.0}'"
              + " below 'admin'");
    }
    if (local.equals(remote)) {
      section.complain(
          REMOTE, "the address of 'admin' itself", "give it a port of its own, such as 8443");
    }
    return new Admin(local, names, remote);
  }

  private static Listener remote(Section section) {
    return listener(
        section, section.requiredText("host", "127.0.0.1", HOST, "0.0.0.0 is all addresses"), 8443);
  }

  private static Listener listener(Section section, String host, int port) {
    Listener listener = new Listener(host, section.number("port", port, 1, 65535, "TCP port"));
    section.finish();
    return listener;
  }

  private static List<String> names(Section section) {
    List<String> names = new ArrayList<>();
    for (YamlTree.Scalar item : section.scalars("names")) {
      if (item.text().matches(HOST)) {
        names.add(item.text());
      } else {
        section.complainAt(
            item.place(), "names", "'" + item.text() + "' is not allowed", HOST_REMEDY);
      }
    }
    return names;
  }

  /** Without keys everyone on the way can read the tokens. */
  static void requireKeys(Section root, Admin admin, LinkSecurity security) {
    if (admin.remote() != null && security.keys() == null && !security.insecure()) {
      root.section(ADMIN)
          .complain(
              REMOTE,
              "other machines can reach the admin HTTP, and there are no keys for TLS",
              "make keys with ./lockstep pki (docs/OPERATING.md, \"Keys\") and write 'keys:"
                  + " {directory: keys}'; or write 'insecure: true': then everyone on the way can"
                  + " read the tokens");
    }
  }
}
