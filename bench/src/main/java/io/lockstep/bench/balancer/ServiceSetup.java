package io.lockstep.bench.balancer;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.Map;

/** Configures virtual IPs over the admin HTTP of a node, as an operator would. */
public final class ServiceSetup {
  private static final int ASK_MILLIS = 20_000;

  /** Where members listen. */
  public static final int MEMBER_PORT = 8_080;

  private static final int SERVICE_PORT = 80;

  private final AdminClient admin;

  /** Asks the node at {@code HOST:PORT}. */
  public ServiceSetup(String endpoint) {
    this.admin = new AdminClient(endpoint, ASK_MILLIS);
  }

  /** A pool without probes. */
  public void addPool(String name) throws BenchException {
    add("pools/" + name, Map.of("probe", "none"));
  }

  /** A member at the port that all have. */
  public void addMember(String name, String pool, String address) throws BenchException {
    add("members/" + name, Map.of("pool", pool, "address", address, "port", MEMBER_PORT));
  }

  /** A virtual IP of a web service. */
  public void addVip(String name, String pool, String address, int prefixLength, int maxConnections)
      throws BenchException {
    add(
        "vips/" + name,
        Map.of(
            "pool",
            pool,
            "address",
            address,
            "port",
            SERVICE_PORT,
            "prefixLength",
            prefixLength,
            "maxConnections",
            maxConnections,
            "maxPerClient",
            maxConnections));
  }

  /** Members whose place the node does not know. */
  public long unknownMembers() throws BenchException {
    long unknown = 0;
    for (JsonNode member : items("members")) {
      unknown += member.path("state").path("place").asText().equals("unknown") ? 1 : 0;
    }
    return unknown;
  }

  /** Connections of all virtual IPs that are remembered. */
  long connections() throws BenchException {
    long connections = 0;
    for (JsonNode vip : items("vips")) {
      connections += vip.path("state").path("connections").asLong();
    }
    return connections;
  }

  private JsonNode items(String resource) throws BenchException {
    try {
      JsonAnswer answer = admin.resource(resource);
      if (answer.status() != 200) {
        throw new BenchException("reading " + resource + ": " + answer.body());
      }
      return answer.body().path("items");
    } catch (IOException e) {
      throw new BenchException("reading " + resource + ": " + e.getMessage(), e);
    }
  }

  private void add(String item, Map<String, Object> fields) throws BenchException {
    try {
      JsonAnswer answer = admin.changeResource(item, Map.entry("If-None-Match", "*"), fields);
      if (answer.status() != 201) {
        throw new BenchException("adding " + item + ": " + answer.body());
      }
    } catch (IOException e) {
      throw new BenchException("adding " + item + ": " + e.getMessage(), e);
    }
  }
}
