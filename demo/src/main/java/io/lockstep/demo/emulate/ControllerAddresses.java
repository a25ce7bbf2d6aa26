package io.lockstep.demo.emulate;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where controllers listen: {@code HOST:PORT}, a host of IPv6 in brackets. */
final class ControllerAddresses {
  /** Connections of a switch. */
  static final int MOST = 16;

  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM = Pattern.compile("(\\[[^\\]]+]|[^:\\s]+):([0-9]{1,5})");

  private ControllerAddresses() {}

  /**
   * The addresses in their order. Looks names up, which may block.
   *
   * @throws IllegalArgumentException naming the text that is wrong, and what is expected
   */
  static List<InetSocketAddress> parse(List<String> texts) {
    if (texts.isEmpty() || texts.size() > MOST) {
      throw new IllegalArgumentException(
          texts.size() + " controllers: give 1 to " + MOST + ", for example 127.0.0.1:6653");
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      InetSocketAddress address = parse(text.strip());
      if (addresses.contains(address)) {
        throw new IllegalArgumentException(
            "'" + text + "' is there twice: name each controller once");
      }
      addresses.add(address);
    }
    return addresses;
  }

  private static InetSocketAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not HOST:PORT: write it as in 127.0.0.1:6653 or [::1]:6653");
    }
    int port = Integer.parseInt(matcher.group(2));
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "': ports are 1 to " + MAX_PORT + ", and controllers usually have 6653");
    }
    InetSocketAddress address = new InetSocketAddress(matcher.group(1), port);
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "'" + text + "': no such host: correct the name, or write an address");
    }
    return address;
  }

  /** An address as {@link #parse} reads it, without the name. */
  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
