package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.ExpireConnections;
import io.lockstep.apps.loadbalancer.state.FindReturn;
import io.lockstep.apps.loadbalancer.state.ReportHealth;
import io.lockstep.apps.loadbalancer.state.TakeMember;
import io.lockstep.apps.loadbalancer.state.TranslateSource;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.Resource;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/** Declares the load balancer. Without a virtual IP it passes every packet on. */
public final class LoadBalancerProvider implements ApplicationProvider {

  @Override
  public String name() {
    return LoadBalancer.NAME;
  }

  @Override
  public int priority() {
    return USUAL_PRIORITY;
  }

  @Override
  public Map<String, TableSpec> tables() {
    return BalancerTables.all();
  }

  @Override
  public List<Noun> nouns() {
    return BalancerNouns.ALL;
  }

  @Override
  public List<Resource> resources() {
    return List.of(new VipResource(), new PoolResource(), new MemberResource());
  }

  @Override
  public List<MicroComponent> microComponents() {
    return List.of(
        new Configure(),
        new TakeMember(),
        new FindReturn(),
        new TranslateSource(),
        new ReportHealth(),
        new ExpireConnections());
  }

  @Override
  public PacketApplication create(ApplicationConfiguration configuration) {
    return new LoadBalancer();
  }
}
