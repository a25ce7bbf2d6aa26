package io.lockstep.core.link;

import io.lockstep.core.state.ListenerRegistry;
import io.lockstep.core.state.TableView;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.provider.ProviderId;

/** onos-api's links over the table {@code net.links}. Thread-safe; answers follow the store. */
public final class NetworkLinks implements LinkService {
  private static final ProviderId PROVIDER = new ProviderId("of", "io.lockstep.lldp");

  private final Map<DirectedLink, Link> links = new ConcurrentHashMap<>();
  private final ListenerRegistry<LinkEvent, LinkListener> listeners;
  private final List<Consumer<LinkEvent>> observers = new CopyOnWriteArrayList<>();

  /**
   * Links that follow the table.
   *
   * @param events where listeners are called
   */
  public NetworkLinks(TableView<DirectedLink, Long> table, Executor events) {
    listeners = new ListenerRegistry<>(events);
    table.addListener((link, old, now) -> changed(link, now != null));
  }

  private void changed(DirectedLink directed, boolean present) {
    if (!present) {
      Link gone = links.remove(directed);
      if (gone != null) {
        post(new LinkEvent(LinkEvent.Type.LINK_REMOVED, gone));
      }
      return;
    }
    Link link =
        DefaultLink.builder()
            .providerId(PROVIDER)
            .src(directed.src().connectPoint())
            .dst(directed.dst().connectPoint())
            .type(Link.Type.DIRECT)
            .state(Link.State.ACTIVE)
            .build();
    if (links.put(directed, link) == null) {
      post(new LinkEvent(LinkEvent.Type.LINK_ADDED, link));
    }
  }

  /** Also shows each event to the observer at once, on the thread that follows the table. */
  public void observe(Consumer<LinkEvent> observer) {
    observers.add(observer);
  }

  private void post(LinkEvent event) {
    observers.forEach(observer -> observer.accept(event));
    listeners.post(event);
  }

  /** All links as they are now. */
  public Collection<Link> all() {
    return List.copyOf(links.values());
  }

  private Set<Link> select(Predicate<Link> wanted) {
    Set<Link> selected = new LinkedHashSet<>();
    for (Link link : links.values()) {
      if (wanted.test(link)) {
        selected.add(link);
      }
    }
    return selected;
  }

  @Override
  public int getLinkCount() {
    return links.size();
  }

  @Override
  public Iterable<Link> getLinks() {
    return all();
  }

  @Override
  public Iterable<Link> getActiveLinks() {
    return all();
  }

  @Override
  public Set<Link> getDeviceLinks(DeviceId deviceId) {
    return select(
        link -> link.src().deviceId().equals(deviceId) || link.dst().deviceId().equals(deviceId));
  }

  @Override
  public Set<Link> getDeviceEgressLinks(DeviceId deviceId) {
    return select(link -> link.src().deviceId().equals(deviceId));
  }

  @Override
  public Set<Link> getDeviceIngressLinks(DeviceId deviceId) {
    return select(link -> link.dst().deviceId().equals(deviceId));
  }

  @Override
  public Set<Link> getLinks(ConnectPoint connectPoint) {
    return select(link -> link.src().equals(connectPoint) || link.dst().equals(connectPoint));
  }

  @Override
  public Set<Link> getEgressLinks(ConnectPoint connectPoint) {
    return select(link -> link.src().equals(connectPoint));
  }

  @Override
  public Set<Link> getIngressLinks(ConnectPoint connectPoint) {
    return select(link -> link.dst().equals(connectPoint));
  }

  @Override
  public @Nullable Link getLink(ConnectPoint src, ConnectPoint dst) {
    return links.get(new DirectedLink(SwitchPort.of(src), SwitchPort.of(dst)));
  }

  @Override
  public void addListener(LinkListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(LinkListener listener) {
    listeners.removeListener(listener);
  }
}
