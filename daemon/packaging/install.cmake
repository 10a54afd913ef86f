# What is installed beside the programs, for each package: its man pages and completions.
function(analytics_man component)
  foreach(page IN LISTS ARGN)
    string(REGEX MATCH "[0-9]$" section ${page})
    install(FILES man/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT ${component})
  endforeach()
endfunction()

# bash and fish look for a file with the program's name.
function(analytics_completions program)
  install(FILES completions/analytics.bash RENAME ${program} COMPONENT ${program}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES completions/analytics.fish RENAME ${program}.fish COMPONENT ${program}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(zsh vendor-completions) # where Debian's zsh looks for what packages bring
  else()
    set(zsh site-functions)
  endif()
  install(FILES completions/_analytics RENAME _${program} COMPONENT ${program}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh})
endfunction()

analytics_man(analytics
  analytics.1
  analytics-replay.1
  analytics.toml.5
  analytics-from-ga4.7
  analytics-from-goatcounter.7
  analytics-from-matomo.7
  analytics-from-plausible.7
  analytics-from-umami.7)
analytics_completions(analytics)
if(ANALYTICS_DAEMON)
  analytics_man(analyticsd
    analyticsd.8
    analyticsd.toml.5
    analytics-api.7
    analytics-cluster.7
    analytics-operating.7
    analytics-plausible.7
    analytics-privacy.7
    analytics-tracker.7
    analytics-troubleshooting.7)
  analytics_completions(analyticsd)
endif()
