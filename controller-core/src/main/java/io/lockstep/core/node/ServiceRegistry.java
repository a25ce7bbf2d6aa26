package io.lockstep.core.node;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.onlab.osgi.ServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;

/** The services of a node by their onos-api interface. Thread-safe. */
public final class ServiceRegistry implements ServiceDirectory {
  private final Map<Class<?>, Object> services = new ConcurrentHashMap<>();

  /**
   * Offers a service.
   *
   * @throws IllegalStateException where another service of this interface is there already
   */
  public <T> void offer(Class<T> type, T service) {
    if (services.putIfAbsent(type, service) != null) {
      throw new IllegalStateException("service " + type.getName() + " is offered twice");
    }
  }

  /** The service; raises {@link ServiceNotFoundException} where there is none. */
  @Override
  public <T> T get(Class<T> type) {
    Object service = services.get(type);
    if (service == null) {
      throw new ServiceNotFoundException("this node has no " + type.getName());
    }
    return type.cast(service);
  }

  /** The names of the interfaces that are offered. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    services.keySet().forEach(type -> names.add(type.getName()));
    return names;
  }
}
