"""The use cases' results as pages show them: sentences, rows and fields, so that templates only fill in.

====================================== ================================================================================
``next_action``                        what a campaign needs from the reader next
``phase_outcome`` ``fought_battles``   what the last phases brought the reader; battles that were fought, a line each
``failed_orders`` ``reader``           the reader's orders that failed, with reasons; who reads
``film``                               a phase step by step, for the film on the map and as a file
``score``                              who stands how, and what wins
``phase_reports``                      past phases as sentences, rolls, battles; BP earned and spent
``charts``                             standings over time
``battle_cards``                       a battle that is coming: forces, modifiers, chances; its table game
``report_form``                        a battle report's fields other than winner and losses
``campaign_form``                      a campaign's options and rules: their form, and as sentences
``edit_forms``                         forms for edits of the position
``scenario_cards``                     scenarios to choose from; what sets factions apart
``map_data``                           what the map draws from, as data for scripts
``order_sentences``                    orders as sentences
``letters`` ``discord``                messages as threads; notices for Discord
====================================== ================================================================================
"""
